/** A regular expression in RE2 syntax. Matching takes linear time for every pattern. */
export interface Pattern {
  /** Whether the whole string matches. */
  isWhole(text: string): boolean;
  /** Whether the string contains a match. */
  isIn(text: string): boolean;
}

/**
 * Compiles a regular expression in RE2 syntax, which has no look-around and no back-references.
 *
 * @throws Error if the pattern is invalid, or re2js cannot be loaded.
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

// Loaded on first use, because loading takes 10 ms and most users have no pattern. Not with import(), because options
// are checked synchronously. Node's module is resolved at run time, so that this file also loads in browsers.
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
