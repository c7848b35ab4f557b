import type { Criterion } from '../contracts/criterion.ts';
import type { ConformanceOptions } from './example.ts';

/**
 * Tests that a criterion fulfils the contract: registration, options, range, plain JSON, determinism, unchanged inputs,
 * and could-not-judge for failed calls. Works in any test runner.
 *
 * @throws CriteriaError INVALID_PLUGIN with every broken rule.
 */
export async function testCriterion(criterion: Criterion, options: ConformanceOptions): Promise<void> {
  // Imported lazily, because it loads all the scoring code, and most tests only build cases.
  const { checkConformance } = await import('./conformance.ts');
  await checkConformance(criterion, options);
}
