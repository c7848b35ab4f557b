/** A regular expression in RE2's syntax. Its time is linear in the text, whatever the pattern. */
export interface Pattern {
  /** Whether the text matches from its first to its last character. */
  isWhole(text: string): boolean;
  /** Whether the text holds a match anywhere. */
  isIn(text: string): boolean;
}

/**
 * Compiles a regular expression in RE2's syntax: no look-around, no back-references.
 *
 * @throws Error when the pattern is not valid, or re2js cannot be loaded
 */
export function compilePattern(pattern: string): Pattern {
  const { RE2JS } = engine();
  try {
    const expression = RE2JS.compile(pattern);
    return { isWhole: (text) => expression.testExact(text), isIn: (text) => expression.test(text) };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${reason}; patterns have RE2's syntax: no look-around, no back-references`, { cause });
  }
}

type Engine = typeof import('re2js');

let loaded: Engine | null = null;

// re2js takes 10 ms to load and most users write no pattern. Options are checked synchronously, before anything runs,
// hence no import(). The module is asked of Node at run time so that this file also loads where there is no Node.
function engine(): Engine {
  if (loaded === null) {
    try {
      const { createRequire } = process.getBuiltinModule('node:module');
      loaded = createRequire(import.meta.url)('re2js') as Engine;
    } catch (cause) {
      throw new Error(
        'patterns need the package re2js at run time, and it could not be loaded. A bundler does not see it: ' +
          'install re2js where the bundle runs',
        { cause },
      );
    }
  }
  return loaded;
}
