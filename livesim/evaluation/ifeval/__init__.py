"""T4: IFEval, 541 prompts with instructions that code can check; does training cost the model what it could before?"""
