"""`make groups-demo`: five agents solve a made-up incident together, before one's eyes."""
