import { asConflict, at, type DomainError, invalidField, isDomainError } from '../../foundation/errors.ts';
import { isObject } from '../../foundation/json.ts';
import type { PolicyPorts } from '../../verifier/policies/policy.ts';
import { readPolicies } from '../../verifier/policies/read.ts';
import { findPolicy, shownPolicy } from '../../verifier/policies/table.ts';
import type { CreateSession } from '../../verifier/requests/create-session.ts';
import type { WrittenPolicies } from '../../verifier/requests/session-policies.ts';
import type { WrittenCoreFlow, WrittenSetup } from '../../verifier/requests/setup.ts';
import type { SetupReader } from '../../verifier/requests/setup-reader.ts';
import { flowOf } from '../../verifier/requests/setup-reading.ts';
import { parentOf, type Target } from '../access/targets.ts';
import { type CheckContent, RESOURCE_KINDS } from '../tree/resource-kinds.ts';
import { SERVICE_TYPES } from '../tree/service-types.ts';
import { ChildStore, type ServiceParts } from './child-creation.ts';
import type { TenantVerifiers } from './tenant-verifiers.ts';

/** A check to save, as its caller writes it. */
interface WrittenCheck extends Omit<CheckContent, 'setup'> {
  setup: WrittenSetup;
}

/** What belongs to one session of a check, in place of what the check says. */
interface OwnMembers extends Pick<WrittenCoreFlow, 'sessionId'> {
  flow_type?: WrittenSetup['flow_type'];
  redirects?: WrittenSetup['redirects'];
  expectedOrigins?: string[];
}

/** The members of `OwnMembers`, which callers can correct. */
const OWN_MEMBERS: readonly unknown[] = ['sessionId', 'flow_type', 'redirects', 'expectedOrigins'];

/** The members of a setup that belong to one session. */
const OF_ONE_SESSION = ['sessionId', 'expiration_date'] as const;

/** Saved checks: setups of sessions under names, as children of verifiers. A session can be created of a check that is saved. */
export class SavedChecks extends ChildStore<WrittenCheck, CheckContent, object> {
  constructor(
    private readonly parts: ServiceParts & {
      verifiers: Pick<TenantVerifiers, 'at'>;
      setups: Pick<SetupReader, 'read'>;
      creation: Pick<CreateSession, 'create'>;
      ports: PolicyPorts;
    },
  ) {
    super(parts, SERVICE_TYPES.verifier2.children);
  }

  /**
   * Creates a session of the check at a target; returns it with its verifier.
   * @throws DomainError `BadRequest` naming the member of `own`, `NotFound`, `Conflict` when the check no longer works or
   * the id is in use, and what reads keys
   */
  async createSession(target: Target, own: OwnMembers) {
    const { tree, verifiers, creation } = this.parts;
    const verifier = await verifiers.at(parentOf(target));
    const setup = setupOf((await tree.secret(RESOURCE_KINDS.checks, target)) as WrittenSetup, own);
    const session = await at({ core_flow: [] }, () => creation.create(verifier, setup)).catch(asOfCheck);
    return { verifier, session };
  }

  protected async read({ setup, ...facts }: WrittenCheck, target: Target) {
    const wrong = OF_ONE_SESSION.find((member) => setup.core_flow[member] !== undefined);
    if (wrong !== undefined) throw invalidField(['setup', 'core_flow', wrong], 'belongs to one session');
    const { verifiers, setups, ids } = this.parts;
    const verifier = await verifiers.at(parentOf(target));
    await at(['setup'], () => setups.read(verifier, setup, ids.uuid()));
    return { content: { ...facts, setup: { ...(await this.#shown(setup)) } }, secret: setup };
  }

  /** A setup without its key and the secrets of its webhook and its policies. */
  async #shown({ core_flow: { key: _, notifications, policies, ...flow }, ...setup }: WrittenSetup) {
    const url = notifications?.webhook.url.replace(/\?.*/s, '');
    const shown = policies && (await this.#shownPolicies(policies));
    return {
      ...setup,
      core_flow: {
        ...flow,
        ...(url !== undefined && { notifications: { webhook: { url } } }),
        ...(shown && { policies: shown }),
      },
    };
  }

  async #shownPolicies({ vc_policies: listed, specific_vc_policies: specific, ...others }: WrittenPolicies) {
    const shown = (list: readonly unknown[]) => Promise.all(list.map((item) => this.#shownPolicy(item)));
    const lists = Object.entries(specific ?? {}).map(async ([id, list]) => [id, await shown(list)] as const);
    return {
      ...others,
      ...(listed && { vc_policies: await shown(listed) }),
      ...(specific && { specific_vc_policies: Object.fromEntries(await Promise.all(lists)) }),
    };
  }

  /** The name of a policy, or a policy with its argument; what is named in a store has its argument there. */
  async #shownPolicy(item: unknown): Promise<unknown> {
    if (!isObject(item)) return item;
    if (!findPolicy(String(item.policy))) return { policy: item.policy };
    const [read] = await readPolicies({ list: [item], scope: 'vc', ports: this.parts.ports });
    return read && shownPolicy(read);
  }
}

/** What a session of a check is created with: what the check says, without what does not go with the flow. */
function setupOf(check: WrittenSetup, { sessionId, flow_type = check.flow_type, ...own }: OwnMembers): WrittenSetup {
  const { url_config, redirects, expectedOrigins, ...setup } = check;
  const ofFlow = flowOf({ flow_type }).isOverDcApi ? { expectedOrigins } : { url_config, redirects };
  return { ...setup, ...ofFlow, ...own, flow_type, core_flow: { ...setup.core_flow, sessionId } };
}

/** What its caller cannot correct is wrong with the check. */
function asOfCheck(error: DomainError): never {
  const isOwn = isDomainError(error) && error.details?.some(({ path }) => OWN_MEMBERS.includes(path[0]));
  if (isOwn) throw error;
  return asConflict(error);
}
