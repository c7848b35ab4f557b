/** The desk of a swimming pool. No model: the same answers in every run. */
export function rootAgent(message: string): string {
  if (/open|close/i.test(message)) return 'The pool is open from 7:00 to 21:00.';
  if (/ticket|cost/i.test(message)) return 'A ticket costs 6 euros, and 4 euros for children.';
  return 'Please ask at the desk.';
}
