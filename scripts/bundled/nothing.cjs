// An empty module that replaces unused packages in the bundle.
