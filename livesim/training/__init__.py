"""The three-stage trainer on verl, Ray and vLLM: data, engine, advantage, agent loop, stages."""
