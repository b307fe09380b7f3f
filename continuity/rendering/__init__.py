"""Words of people and agents as HTML, and what tool calls changed in files, for reading. Pure: text in, safe HTML or plain values out."""
