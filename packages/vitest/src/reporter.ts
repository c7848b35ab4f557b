import { styleText } from 'node:util';
import { DefaultReporter, type TestCase, type TestModule, type TestModuleState, type Vitest } from 'vitest/node';
import { type RerunOnChange, rerunOnChange } from './rerun-on-change.ts';
import type {} from './task-meta.ts';

/**
 * Vitest's default reporter, extended with the scores of every eval case after the name of its test, even if it passed. In watch
 * mode, it also makes test files run again when their eval sets, configs or agents change.
 */
export default class ScoreReporter extends DefaultReporter {
  #rerun: RerunOnChange | null = null;

  override onInit(vitest: Vitest): void {
    super.onInit(vitest);
    if (vitest.config.watch) this.#rerun = rerunOnChange(vitest);
  }

  override onTestModuleCollected(module: TestModule): void {
    super.onTestModuleCollected(module);
    this.#rerun?.note(module);
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module);
    this.#rerun?.note(module);
  }

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
