/** Changes to files, one after another. */
export type Edits = ReturnType<typeof createEdits>;

/** Keeps two calls at the same time from each changing what the other has read. */
export function createEdits() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    next<T>(work: () => Promise<T>): Promise<T> {
      const mine = last.catch(() => undefined).then(work);
      last = mine;
      return mine;
    },
  };
}
