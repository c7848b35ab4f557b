import type { Awaitable, JournalBackend } from './journal-of.ts';

/** Puts everything into the second, too, once the first has it. What is read comes from the first. */
export function bothBackends(first: JournalBackend, second: JournalBackend): JournalBackend {
  return {
    ...first,
    putInference: (head, inference) =>
      after(first.putInference(head, inference), () => second.putInference(head, inference)),
    putScores: (head, scores, result) =>
      after(first.putScores(head, scores, result), () => second.putScores(head, scores, result)),
    putCall: (id, key, call, texts) =>
      after(first.putCall(id, key, call, texts), () => second.putCall(id, key, call, texts)),
    async close() {
      await first.close();
      await second.close();
    },
  };
}

function after(putting: Awaitable<void>, put: () => Awaitable<void>): Awaitable<void> {
  return putting instanceof Promise ? putting.then(put) : put();
}
