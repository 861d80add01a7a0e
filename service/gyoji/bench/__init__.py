"""What gyoji costs, as ratios to peers that run on the same machine in the same minutes.

``python -m gyoji.bench`` measures and prints; see ``python -m gyoji.bench --help``.
"""
