// Replaces packages in the bundle whose features are not used.
