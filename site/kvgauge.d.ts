// SPDX-License-Identifier: MIT
// Types of kvgauge.js. The functions answer at once; nothing is fetched after the import.

export type Basis = 'exact' | 'derived' | 'measured' | 'assumed';

export interface Row {
    /** e.g. "kv.bytes_per_token"; ids stay from version to version. */
    id: string;
    label: string;
    /** Bytes, seconds or plain numbers, never rounded; a word or a text where `unit` says so. */
    value: number | string;
    unit: 'B' | 's' | '1/s' | '1' | 'FLOP/B' | 'word' | 'text';
    basis: Basis;
    /** Only where the value is not exact. */
    low?: number;
    high?: number;
    /** The formula with the numbers put in. */
    derivation?: string;
}

export interface Issue {
    severity: 'error' | 'warning' | 'notice';
    /** The key it is about; empty for none. */
    key: string;
    text: string;
}

/** kvgauge.estimate/1 */
export interface Estimate {
    schema: 'kvgauge.estimate/1';
    version: string;
    /** Date of the catalog of models and GPUs. */
    catalog: string;
    /** Every key in effect; absent where nothing could be read. */
    scenario?: Record<string, string | number | boolean>;
    /** The canonical link of the scenario. */
    link?: string;
    /** Absent where nothing could be read. */
    answer?: 'fits' | 'may_fit' | 'does_not_fit' | 'refused' | 'unknown';
    /** The answer in words, and what binds. */
    sentence?: string;
    second?: string;
    issues: Issue[];
    rows: Row[];
}

export interface LogRow {
    id: string;
    label: string;
    unit: string;
    predicted?: number;
    low?: number;
    high?: number;
    observed?: number;
    inside: boolean;
    cause?: string;
    text?: string;
}

/** kvgauge.reconcile/1 */
export interface Reconciliation {
    schema: 'kvgauge.reconcile/1';
    version: string;
    catalog: string;
    lines: number;
    recognised: number;
    runs: {
        engine: string; version: string; model: string; link: string; filled: string[];
        rows: LogRow[]; issues: Issue[];
        /** Bytes per GPU that the log gives: to keep in a scenario. */
        kv_budget?: number; overhead?: number; errors?: unknown[];
    }[];
    unknown: string[];
    issues: Issue[];
}

export type AxisValue = string | number | boolean;

/** Resolved before the import ends; window.kvgauge has it to be awaited. */
export const ready: Promise<void>;

/** One scenario: "v=1&model=llama-3-8b&ctx=8k", with or without a leading "#". */
export function estimate(link?: string): Estimate;

/** Every combination of the values over a scenario; the last axis changes fastest. */
export function sweep(link: string, axes: Record<string, AxisValue | AxisValue[]>): Estimate[];

/** The text of a config.json; everything but the model has its default. */
export function importConfig(text: string): Estimate;

/** An engine's start-up log beside the prediction. `link`: what the log does not say. */
export function reconcile(text: string, link?: string): Reconciliation;
