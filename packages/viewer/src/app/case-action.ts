import type { RunInfo, RunSet } from '@agent-criteria/results';
import type { ComponentChildren } from 'preact';
import type { PageCase } from '../page-data.ts';
import type { EventLink } from './event-link.tsx';

/** An action on a case: a link, or text to copy, with the noun that follows “Copy”. */
export type CaseAction = { readonly name: string; readonly title?: string | undefined } & (
  | { href(one: PageCase, set: RunSet | undefined): string | undefined }
  | { copies(one: PageCase, set: RunSet | undefined, info: RunInfo): string }
);

/** Wraps the conversation of a repeat. */
export interface Around {
  readonly one: PageCase;
  readonly repeat: number;
  /** Renders the conversation, linked to the surrounding view. */
  children(link: EventLink | undefined): ComponentChildren;
}

/** Shown above a case's conversation, for the current repeat. */
export interface Remedies {
  readonly one: PageCase;
  readonly set: RunSet | undefined;
  readonly repeat: number;
}
