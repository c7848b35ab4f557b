import type { AgentMatchers } from './matchers.ts';

declare global {
  namespace Chai {
    /**
     * What `expect(…)` of Vitest gives has every method of this one. `Matchers` of Vitest, made for such additions, takes
     * other type parameters in Vitest 5 than in 4, so that no one declaration could add to both.
     */
    interface Assertion extends AgentMatchers {}
  }
}
