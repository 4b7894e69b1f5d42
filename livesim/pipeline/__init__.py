"""The main job: base model -> data -> fixed SFT -> HSA-SFT -> OPD -> HSA-RL -> evaluation -> table and report."""
