// Tells the page that it stands on what has changed in the folder.
