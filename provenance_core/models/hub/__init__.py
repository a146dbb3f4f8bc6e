"""Models from a hub: its repositories, the download, and the cache on disk with its checksums.

The library huggingface_hub asks the hub, reads its errors, moves the bytes and knows git's
checksums. Its own cache is not used, because in version 2.4

- a download that was interrupted begins again: the bytes that had arrived are deleted;
- a file that arrived is compared with the hub by its size alone, and a file that is there is taken
  by its name;
- ``verify_repo_checksums`` asks the hub, so that nothing can be checked without a network, and each
  load here checks its files;
- a full disk is a warning, and no download knows the bytes of all its files together;
- weights from the hub's conversion and a tokenizer from another repository lie in other folders.

The modules here add these five, and messages that say what to do.
"""
