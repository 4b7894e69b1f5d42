"""The world of a stream: catalogue, promotions, viewers, platform law and state; dynamics only."""
