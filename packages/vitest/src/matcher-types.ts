import type { AgentMatchers } from './matchers.ts';

declare global {
  namespace Chai {
    /**
     * Vitest's type for `expect(…)` inherits from this interface. Its own `Matchers` has different type parameters in
     * Vitest 4 and 5, so a single declaration could not extend both.
     */
    interface Assertion extends AgentMatchers {}
  }
}
