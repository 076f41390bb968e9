"""The program of every stack: read the settings, deploy them, export what the next one needs."""

import pulumi

from stacks import platform, settings

for name, value in platform.deploy(settings.load()).items():
    pulumi.export(name, value)
