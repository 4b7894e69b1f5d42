"""The software around the model: skills, hooks, prompt, tool views, and one request's loop."""
