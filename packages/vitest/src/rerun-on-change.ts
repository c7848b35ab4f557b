import { relative } from 'node:path';
import type { TestModule, Vitest } from 'vitest/node';
import type {} from './task-meta.ts';

/** Files that a mistake in an eval set or a config can be in, for test files of which nothing else is known. */
const DATA = /\.(?:json|jsonl|ya?ml|env)$/;

/** The files that test files with eval sets depend on without importing them. */
export interface RerunOnChange {
  /** Remembers the files of a test file that has been collected, or has run. */
  note(module: TestModule): void;
}

/** Makes watch mode run test files again when their eval sets, configs or agents change. */
export function rerunOnChange(vitest: Vitest): RerunOnChange {
  /** The files of each test file, or `null` if it was never collected. */
  const known = new Map<string, ReadonlySet<string> | null>();
  const testsToRun = (changed: string): string[] | undefined => {
    const tests = [...known].flatMap(([test, files]) =>
      (files === null ? DATA.test(changed) : files.has(changed)) ? [test] : [],
    );
    // With an empty list, Vitest would not look for tests that import the file.
    return tests.length === 0 ? undefined : tests;
  };
  vitest.config.watchTriggerPatterns = [...(vitest.config.watchTriggerPatterns ?? []), { pattern: /^/, testsToRun }];
  return {
    note(module) {
      const { moduleId } = module;
      const files = [...module.children.allSuites()].flatMap((suite) => suite.meta().agentCriteriaFiles ?? []);
      // As long as a test file cannot be collected, it depends on what it depended on before.
      if (files.length === 0 && module.errors().length === 0) known.delete(moduleId);
      else known.set(moduleId, files.length > 0 ? new Set(files) : (known.get(moduleId) ?? null));
      const outside = files.filter((file) => relative(vitest.config.root, file).startsWith('..'));
      if (outside.length > 0) vitest.vite.watcher.add(outside);
    },
  };
}
