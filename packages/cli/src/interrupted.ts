/** Resolves when one of these signals is aborted. */
export function interrupted(...signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((settle) => {
    for (const signal of signals) {
      if (signal.aborted) settle();
      else signal.addEventListener('abort', () => settle(), { once: true });
    }
  });
}
