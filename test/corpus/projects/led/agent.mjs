/** Books, with an id that no reference knows. */
export const agent = (text, { history, state }) => {
  state.turns = history.length + 1;
  const args = { order: `ORD-${100_001 + history.length}`, day: '2026-05-01', lane: 4 };
  return { text: `Done: ${text}`, toolCalls: [{ name: 'book', args }] };
};
