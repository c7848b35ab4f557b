export type { Around, CaseAction, Remedies } from './app/case-action.ts';
export { type AnyVerdict, type Filter, NO_FILTER } from './app/route.ts';
export type { RunSource } from './app/run-source.ts';
export { RunView } from './app/run-view.tsx';
export { columnsOf, selectRows } from './app/select-cases.ts';
export { caseMarkdown } from './case-markdown.ts';
