import type { RunInfo, RunSet } from '@agent-criteria/results';
import type { ComponentChildren } from 'preact';
import type { PageCase } from '../page-data.ts';
import type { EventLink } from './event-link.tsx';

/** Something else that can be done with a case: a link, or a text to copy. */
export type CaseAction = { readonly name: string; readonly title?: string | undefined } & (
  | { href(one: PageCase, set: RunSet | undefined): string | undefined }
  | { copies(one: PageCase, set: RunSet | undefined, info: RunInfo): string }
);

/** Stands around the conversation of a repeat, with what belongs beside it. */
export interface Around {
  readonly one: PageCase;
  /** From 0. */
  readonly repeat: number;
  /** Draws the conversation; tied to what is beside it, where there is a link. */
  children(link: EventLink | undefined): ComponentChildren;
}

/** What can be done about a case that did not pass, in view of a repeat. */
export interface Remedies {
  readonly one: PageCase;
  readonly set: RunSet | undefined;
  /** From 0. */
  readonly repeat: number;
}
