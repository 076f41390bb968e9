"""Into what GPUs can be cut."""

from gpufleet.facts import instances, mig_profiles


def test_profiles_go_by_the_memory_of_the_gpu_too() -> None:
    assert mig_profiles.find("A100", 40960)["1g.10gb"] == 4
    assert mig_profiles.find("A100", 81920)["1g.10gb"] == 7
    assert mig_profiles.find("L4", 22888) == {}


def test_every_profile_is_of_a_gpu_in_the_catalogue_and_fits_it() -> None:
    for name in instances.names():
        type_ = instances.get(name)
        for profile, count in mig_profiles.find(type_.gpu_model, type_.gpu_memory_mib).items():
            slices, gigabytes = int(profile[0]), int(profile.removesuffix("gb").split(".")[1])
            assert slices * count <= 7
            if type_.gpu_memory_mib is not None:
                assert gigabytes * count <= type_.gpu_memory_mib / 1024 * 1.1, (name, profile)


def test_all_data_center_gpus_since_ampere_can_be_cut() -> None:
    cut = {
        t.gpu_model for n in instances.names() if mig_profiles.find((t := instances.get(n)).gpu_model, t.gpu_memory_mib)
    }
    assert cut == {"A100", "H100", "H200", "B200", "B300", "GB200", "RTX PRO Server 6000"}
