import { at, invalidField } from '../../foundation/errors.ts';
import { isObject } from '../../foundation/json.ts';
import type { DcqlQuery } from '../../presentation/dcql/query.ts';
import type { PolicyPorts } from '../policies/policy.ts';
import { readPolicies } from '../policies/read.ts';
import type { PolicyRequest, SessionPolicies } from '../protocol.ts';
import { checkNames as knownChecks } from '../verification/presentation-checks.ts';
import type { Verifier } from '../verifier.ts';

/** The policies of a session as its creator writes them. */
export interface WrittenPolicies {
  /** Names of checks of presentations: a list, or lists by format. */
  vp_policies?: unknown;
  vc_policies?: unknown[];
  /** By the id of a query. */
  specific_vc_policies?: Record<string, unknown[]>;
}

/** What policies are read with. */
interface PolicyReading {
  query: DcqlQuery;
  ports: PolicyPorts;
  verifier: Pick<Verifier, 'listedPolicies'>;
}

/** The most policies of one session. */
export const MAX_POLICIES = 128;

/** The policies of a list that neither a session nor its verifier gives, in every format (interface: Body of `POST /openid4vc/verify`). */
export const DEFAULT_POLICIES: readonly unknown[] = ['signature'];

/** @throws DomainError `BadRequest` naming the element that is unknown or has a bad argument, `AddressRefused` for a webhook */
export async function readSessionPolicies(
  { vp_policies: checks, vc_policies: listed, specific_vc_policies: specific = {} }: WrittenPolicies,
  { query, ports, verifier }: PolicyReading,
): Promise<SessionPolicies> {
  if (checks !== undefined) at(['vp_policies'], () => checkNames(checks, knownChecks(ports.formats)));
  const lists = Object.entries(specific);
  if (lists.reduce((sum, [, list]) => sum + list.length, listed?.length ?? 0) > MAX_POLICIES)
    throw invalidField([], `there may be at most ${MAX_POLICIES} policies in one session`);
  const read = async (list: unknown[] | undefined): Promise<PolicyRequest[]> =>
    readPolicies({ list: await verifier.listedPolicies(list), scope: 'vc', ports });
  const vc = await at(['vc_policies'], () => read(listed));
  const own = await Promise.all(
    lists.map(([id, list]) =>
      at(['specific_vc_policies', id], async (): Promise<[string, PolicyRequest[]]> => {
        if (!query.credentials.some((one) => one.id === id)) throw invalidField([], 'is the id of no credential query');
        return [id, await read(list)];
      }),
    ),
  );
  return { vc, specific: Object.fromEntries(own) };
}

/** Checks of presentations are named by texts or objects with a `policy`, in one list or in lists by format. */
function checkNames(value: unknown, known: ReadonlySet<unknown>): void {
  const lists: [string, unknown][] = isObject(value) ? Object.entries(value) : [['', value]];
  for (const [format, list] of lists) at(format === '' ? [] : [format], () => checkList(list, known));
}

function checkList(list: unknown, known: ReadonlySet<unknown>): void {
  if (!Array.isArray(list)) throw invalidField([], 'must be a list of checks');
  for (const [index, item] of list.entries()) {
    const name: unknown = isObject(item) ? item.policy : item;
    if (!known.has(name)) throw invalidField([index], 'is the name of no check of presentations');
  }
}
