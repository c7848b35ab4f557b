import type { Criterion } from '../contracts/criterion.ts';
import type { ConformanceOptions } from './example.ts';

/**
 * Tests that a criterion keeps the contract: registration, options, ranges, JSON, determinism, unchanged inputs, honest
 * failure. Works in any test runner.
 *
 * @throws CriteriaError listing every broken rule.
 */
export async function testCriterion(criterion: Criterion, options: ConformanceOptions): Promise<void> {
  // Imported lazily: it loads all of scoring, and most tests only build cases.
  const { checkConformance } = await import('./conformance.ts');
  await checkConformance(criterion, options);
}
