/** Says what it is told to say. */
export const agent = (text) => text.replace(/^say /, '');
