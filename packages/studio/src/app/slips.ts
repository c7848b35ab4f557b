import { createContext } from 'preact';
import { useCallback, useState } from 'preact/hooks';

/** Tells what is around it that a field holds what cannot be taken. */
export type ReportSlip = (field: string, isWrong: boolean) => void;

export const Slips = createContext<ReportSlip>(() => undefined);

/** @returns How many fields hold what cannot be taken, and what they are to report to. */
export function useSlips(): readonly [number, ReportSlip] {
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set());
  const report = useCallback<ReportSlip>((field, isWrong) => {
    setWrong((before) => {
      if (before.has(field) === isWrong) return before;
      const next = new Set(before);
      if (!next.delete(field)) next.add(field);
      return next;
    });
  }, []);
  return [wrong.size, report];
}
