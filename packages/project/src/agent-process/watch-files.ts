import { changedFiles, type FileHashes } from '../files/file-hashes.ts';

/** Watches the content of files. */
export interface FileWatcher {
  /** Resolves with the files whose content has changed since `hashes`, as soon as there are any. */
  changed(hashes: FileHashes, signal: AbortSignal): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Milliseconds to wait for the other files of one change: an editor that saves all, a checkout of a branch. */
const SETTLE = 30;

/** Watches files until it is closed. Files that do not exist yet can be watched as well. */
export async function watchFiles(): Promise<FileWatcher> {
  // Loaded only by those who watch.
  const { watch } = await import('chokidar');
  // Editors replace a file by another one, which is a single change.
  const watcher = watch([], { ignoreInitial: true, atomic: 20 });
  const watched = new Set<string>();
  return {
    changed(hashes, signal) {
      const fresh = [...hashes.keys()].filter((file) => !watched.has(file));
      for (const file of fresh) watched.add(file);
      watcher.add(fresh);
      return new Promise((settle, fail) => {
        let timer: NodeJS.Timeout | undefined;
        const stop = (): void => {
          clearTimeout(timer);
          watcher.off('all', look);
          watcher.off('ready', look);
          signal.removeEventListener('abort', onAbort);
        };
        const onAbort = (): void => {
          stop();
          fail(signal.reason);
        };
        const look = (): void => {
          clearTimeout(timer);
          timer = setTimeout(() => {
            const changed = changedFiles(hashes);
            if (changed.length === 0) return;
            stop();
            settle(changed);
          }, SETTLE);
        };
        if (signal.aborted) return onAbort();
        signal.addEventListener('abort', onAbort, { once: true });
        watcher.on('all', look);
        watcher.on('ready', look);
        // It may have changed before it was watched.
        look();
      });
    },
    close: () => watcher.close(),
  };
}
