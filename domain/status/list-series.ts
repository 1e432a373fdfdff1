import { fromBase64url } from '../foundation/bytes.ts';
import { permuted } from './index-permutation.ts';

/** How far any two of this many successive indexes are apart: members of a batch are not seen to belong together. */
const APART = 32;
const SUCCESSIVE = 64;

/** The most indexes of one write. */
const MAX_DRAWN = 1000;

/** The lists of one issuer, kind, purpose and key: the one with free entries, and how far it is used. */
export interface ListSeries {
  /** The id of the list. */
  list: string;
  /** The number of its entries. */
  size: number;
  /** The URL below which the list is published; that of this server when absent. */
  baseUrl?: string;
  /** The seed of the order of its indexes, base64url. */
  seed: string;
  /** How many places of that order are used. */
  next: number;
  /** The last indexes. */
  recent: number[];
  /** How many lists were opened. */
  opened: number;
}

/**
 * Takes indexes of the list: fewer than wanted, or none, when it is full. Each place of a secret order is used once, so
 * no index is taken twice, and the work does not grow as the list fills. An index that is near a recent one is left out.
 */
export function draw(series: ListSeries, wanted: number): { series: ListSeries; indexes: number[] } {
  const order = { seed: fromBase64url(series.seed) ?? new Uint8Array(), size: series.size };
  const indexes: number[] = [];
  let { next, recent } = series;
  for (; indexes.length < Math.min(wanted, MAX_DRAWN) && next < series.size; next += 1) {
    const index = permuted(order, next);
    if (recent.some((other) => Math.abs(other - index) < APART)) continue;
    indexes.push(index);
    recent = [...recent, index].slice(-SUCCESSIVE);
  }
  return { series: next === series.next ? series : { ...series, next, recent }, indexes };
}
