"""The whole model: encoder, decoder, their sizes and costs."""
