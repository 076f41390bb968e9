"""What a stack costs: floor, expected and ceiling, by pool, team, component and region; and newer prices for it."""
