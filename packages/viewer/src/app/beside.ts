import type { ComponentType } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { AnyVerdict, CaseRoute, CasesRoute, Route } from './route.ts';
import type { RunSource } from './run-source.ts';
import type { Column, PlacedRow } from './select-cases.ts';

/** A case that is open beside the list: whether it is, as it was left, who remembers that, and what draws it. */
export interface BesideSetting {
  readonly open: boolean;
  keep(open: boolean): void;
  readonly pane: ComponentType<PaneProps>;
}

/** The case that is open beside the list. */
export interface BesideCase {
  readonly route: CaseRoute;
  /** `undefined`: the run has no such case. */
  readonly row: PlacedRow | undefined;
}

export interface PaneProps {
  readonly source: RunSource;
  readonly columns: readonly Column[];
  readonly beside: BesideCase;
  /** Shown in the list, below its row, instead of beside it. */
  readonly isBelow: boolean;
  /** Go to the cases that did not pass, where there is one. */
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
  close(): void;
  /** Leads to all of a case. */
  open(route: CaseRoute): void;
  /** Shows another repeat here. */
  choose(repeat: number): void;
  format(route: Route): string;
  /** The address of another variant, here. */
  hrefOf(variant: string): string;
}

/** What has to be looked at, the surest first. */
const LOOKED_AT: readonly AnyVerdict[] = ['failed', 'error', 'not-evaluated'];

/**
 * The case to open first: the first that failed, then one that could not be run or judged. As long as the run goes on, only
 * one that failed: whatever else a case is then, it may not be in the end.
 */
export function firstToLookAt(rows: readonly PlacedRow[], isOver: boolean): PlacedRow | undefined {
  for (const verdict of isOver ? LOOKED_AT : LOOKED_AT.slice(0, 1)) {
    const first = rows.find(({ row }) => row.verdict === verdict);
    if (first !== undefined) return first;
  }
  return undefined;
}

/**
 * Opens the first failing case beside the list, unless the address names one or the user has closed it. What is open stays, as
 * long as the list has it.
 *
 * @returns Opens and closes it.
 */
export function useBeside(given: {
  readonly setting: BesideSetting | undefined;
  /** `undefined`: another view. */
  readonly route: CasesRoute | undefined;
  readonly shown: BesideCase | undefined;
  readonly first: PlacedRow | undefined;
  /** Whether the list has what is shown. */
  readonly isListed: boolean;
  show(row: PlacedRow | undefined, how: 'after' | 'instead'): void;
}) {
  const { setting, route, shown, first, isListed } = given;
  const [isWanted, setWanted] = useState(setting?.open ?? false);
  const isDue = shown === undefined ? isWanted : shown.row !== undefined && !isListed;
  // Before the list is painted at its full width.
  useLayoutEffect(() => {
    if (setting !== undefined && route !== undefined && isDue && first !== undefined) given.show(first, 'instead');
  }, [route, first?.place, isDue]);
  const want = (open: boolean) => {
    setWanted(open);
    setting?.keep(open);
  };
  return {
    open(row: PlacedRow | undefined) {
      want(true);
      if (row !== undefined) given.show(row, 'after');
    },
    close() {
      want(false);
      given.show(undefined, 'after');
    },
  };
}
