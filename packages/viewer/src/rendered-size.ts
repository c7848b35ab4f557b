/** The maximum length of a rendered text in characters. The lexer takes quadratic time for hostile input. */
export const MOST_RENDERED = 20_000;
