import type { RunInfo, RunSet } from '@agent-criteria/results';
import type { PageCase } from '../page-data.ts';

/** Something else that can be done with a case: a link, or a text to copy. */
export type CaseAction = { readonly name: string; readonly title?: string | undefined } & (
  | { href(one: PageCase, set: RunSet | undefined): string | undefined }
  | { copies(one: PageCase, set: RunSet | undefined, info: RunInfo): string }
);
