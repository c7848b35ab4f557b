/** Says again what it hears; `fail` fails, and `nan` calls a tool with a number that JSON does not have. */
export const agent = (text) => {
  if (text === 'fail') throw new Error('the till is closed');
  if (text === 'nan') return { text, toolCalls: [{ name: 'weigh', args: { grams: Number.NaN } }] };
  return text;
};
