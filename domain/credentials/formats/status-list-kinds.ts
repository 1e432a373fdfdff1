import { invalidField } from '../../foundation/errors.ts';
import type { StatusListChoice, StatusListKind } from '../status-entries.ts';
import type { FormatFacts } from './facts.ts';

/** What is known of one kind of status list without its encoding. */
interface StatusListFacts {
  /** How requests name it. */
  type: 'BitstringStatusList' | 'StatusList2021' | 'RevocationList2020' | 'TokenStatusList';
  format: 'JWT' | 'CWT';
  /** The possible bits of one status; the first is the default. */
  bits: readonly number[];
  /** The possible purposes; the first is the default. None for a list whose values state their meaning. */
  purposes: readonly string[];
}

/** Bitstring Status List §2.1, StatusList2021 §3.1; Revocation List 2020 §2 has the first purpose only. */
const W3C = {
  format: 'JWT',
  bits: [1],
  purposes: ['revocation', 'suspension'],
} as const;

/** draft-ietf-oauth-status-list-21 §4; two bits have room for the status "suspended" (§7.1). */
const TOKEN = { type: 'TokenStatusList', bits: [2, 1, 4, 8], purposes: [] } as const;

/** The table of kinds; which of them a format takes is in its row. */
export const STATUS_LIST_KINDS: Readonly<Record<StatusListKind, StatusListFacts>> = {
  BitstringStatusList: { type: 'BitstringStatusList', ...W3C },
  StatusList2021: { type: 'StatusList2021', ...W3C },
  RevocationList2020: { type: 'RevocationList2020', ...W3C, purposes: ['revocation'] },
  TokenStatusListJwt: { ...TOKEN, format: 'JWT' },
  TokenStatusListCwt: { ...TOKEN, format: 'CWT' },
};

const KINDS = Object.keys(STATUS_LIST_KINDS) as StatusListKind[];

/** The member `statusList` of a request or a configuration: which list a credential gets an entry of. */
export interface StatusListMember {
  type?: string;
  format?: string;
  purpose?: string;
  statusSize?: number;
}

/**
 * Reads which list a credential of this format gets an entry of; what is left out is the default of the format.
 * @throws DomainError `BadRequest` naming the member that does not fit the format
 */
export function readStatusList(
  member: StatusListMember,
  { name, statusLists }: Pick<FormatFacts, 'name' | 'statusLists'>,
): StatusListChoice {
  if (statusLists.length === 0) throw invalidField([], `there is no status list for credentials of the format ${name}`);
  return choose(member, statusLists, name);
}

/** Reads which list is to be opened; what is left out is the first of the table. @throws DomainError as `readStatusList` */
export const readNewStatusList = (member: StatusListMember): StatusListChoice => choose(member, KINDS, 'this type');

function choose(member: StatusListMember, kinds: readonly StatusListKind[], format: string): StatusListChoice {
  const named = kinds.filter((kind) => fits(member.type, [STATUS_LIST_KINDS[kind].type]));
  if (named.length === 0) throw unfit('type', format, names(kinds, 'type'));
  const kind = named.find((one) => fits(member.format, [STATUS_LIST_KINDS[one].format]));
  if (!kind) throw unfit('format', format, names(named, 'format'));
  const { type, bits, purposes } = STATUS_LIST_KINDS[kind];
  const { purpose = purposes[0], statusSize = bits[0] ?? 1 } = member;
  if (purpose !== undefined && !purposes.includes(purpose)) throw unfit('purpose', type, purposes);
  if (!bits.includes(statusSize)) throw unfit('statusSize', type, bits);
  return { kind, bits: statusSize, ...(purpose !== undefined && { purpose }) };
}

const fits = (named: string | undefined, possible: readonly string[]): boolean =>
  named === undefined || possible.includes(named);

const names = (kinds: readonly StatusListKind[], member: 'type' | 'format'): string[] =>
  kinds.map((kind) => STATUS_LIST_KINDS[kind][member]);

const unfit = (member: string, of: string, possible: readonly unknown[]) =>
  invalidField([member], possible.length > 0 ? `must be ${possible.join(' or ')} for ${of}` : `is not used with ${of}`);
