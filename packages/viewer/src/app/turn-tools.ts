import type { RunCase } from '@agent-criteria/results';
import { type ComponentType, createContext } from 'preact';

/** A turn of a case, with what a page offers to do with it. */
export interface TurnToolsProps {
  readonly one: RunCase;
  readonly repeat: number;
  /** From 0. */
  readonly turn: number;
}

/** Shown beside the title of each turn. Default: nothing. */
export const TurnTools = createContext<ComponentType<TurnToolsProps> | null>(null);
