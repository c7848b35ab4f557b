export type { BesideSetting } from './app/beside.ts';
export type { Around, CaseAction, Remedies } from './app/case-action.ts';
export { CasePane } from './app/case-pane.tsx';
export { type AnyVerdict, type Filter, NO_FILTER } from './app/route.ts';
export type { RunSource } from './app/run-source.ts';
export { RunView } from './app/run-view.tsx';
export { Running } from './app/running.tsx';
export { TurnTools, type TurnToolsProps } from './app/turn-tools.ts';
export { caseMarkdown } from './case-markdown.ts';
