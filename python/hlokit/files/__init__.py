"""Files: `reading` opens what a path names, `formats` recognises what its bytes are. No MLIR."""
