"""Say what is wrong with a stack, a state or an environment, to people, to CI and to other tools."""
