"""The private network: address plan, subnets, ways out, endpoints, flow log."""
