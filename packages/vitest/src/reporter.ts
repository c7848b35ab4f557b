import { styleText } from 'node:util';
import { DefaultReporter, type TestCase, type TestModuleState } from 'vitest/node';
import type {} from './task-meta.ts';

/**
 * Vitest's default reporter, extended with the scores of every eval case after the name of its test, even if it passed.
 */
export default class ScoreReporter extends DefaultReporter {
  protected override printTestCase(moduleState: TestModuleState, test: TestCase): void {
    // With many files, Vitest lists tests only for files that failed.
    super.printTestCase(test.meta().agentCriteria === undefined ? moduleState : 'failed', test);
  }

  protected override getTestCaseSuffix(test: TestCase): string {
    const { text = '' } = test.meta().agentCriteria ?? {};
    return super.getTestCaseSuffix(test) + (text === '' ? '' : `  ${isPainted() ? styleText('dim', text) : text}`);
  }
}

function isPainted(): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  return NO_COLOR === undefined && (FORCE_COLOR !== undefined || process.stdout.isTTY === true);
}
