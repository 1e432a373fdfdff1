import type {
  HolderRefusal,
  ParsedCredential,
  Presentation,
  SignatureCheck,
  ValidityBounds,
} from '../../../ports/credential-formats.ts';
import type { JsonPaths } from '../../../ports/json-path.ts';
import type { JsonSchemas } from '../../../ports/json-schema.ts';
import type { Log } from '../../../ports/log.ts';
import type { Outbound } from '../../../ports/outbound.ts';
import type { Patterns } from '../../../ports/patterns.ts';
import type { CredentialStatuses } from '../../credentials/credential-status.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { CompiledQuery, Match } from '../../presentation/matching/compiled-query.ts';
import type { BelievedList, TrustLists } from '../../trust/trust-lists.ts';
import type { PolicyRequest } from '../protocol.ts';
import { POLICY_CODES, type PolicyCode } from './codes.ts';
import type { RuleEngine } from './opa-rules.ts';

/** The outcome of one policy: why, for a person and for a program, and the details. */
export type PolicyOutcome = { code: PolicyCode; reason: string } & (
  | { isSuccess: true; result: unknown }
  | { isSuccess: false; error: unknown }
);

/** One line of a verification result (interface: Verification result); `args` as they are shown, without secrets. */
export type PolicyResult = PolicyRequest & {
  description: string;
  is_success: boolean;
  code: PolicyCode;
  reason: string;
  result?: unknown;
  error?: unknown;
};

/** Whether a signature counts: it is valid, and certificates of an issuer end at an authority that is trusted. */
export type SignerCheck = SignatureCheck<HolderRefusal> | { valid: false; refusal: 'untrusted'; reason: string };

/** What policies for presentations and for credentials see alike. */
interface SubjectFacts {
  /** What paths see. */
  claims: JsonObject;
  /** The credential or presentation as it is shown. */
  document: JsonObject;
  validity: ValidityBounds;
  /** The presentation, or the one that contains the credential. */
  presentation: Presentation;
  /** Checks the signature; several calls share one check. @throws DomainError when the key cannot be found */
  checkSignature(): Promise<SignerCheck>;
}

/** A credential that policies are run on. */
export interface CredentialSubject extends SubjectFacts {
  scope: 'vc';
  credential: ParsedCredential;
}

/** A presentation that policies are run on. */
export interface PresentationSubject extends SubjectFacts {
  scope: 'vp';
  /** The credentials in it. */
  credentials: readonly CredentialSubject[];
}

/** What a policy is run on. */
export type Subject = PresentationSubject | CredentialSubject;

/** Where a policy may be listed. */
export type PolicyScope = Subject['scope'];

/** Everything that a wallet presented in one response, matched with the query. */
interface PresentedResponse {
  query: CompiledQuery;
  matches: readonly Match[];
  presentations: readonly Presentation[];
  /** The credentials of every presentation, in the same order; the indices in `matches` are theirs. */
  credentials: readonly ParsedCredential[];
}

/** What policies work with. */
export interface PolicyPorts {
  schemas: JsonSchemas;
  paths: JsonPaths;
  patterns: Patterns;
  statuses: CredentialStatuses;
  ruleEngine: RuleEngine;
  outbound: Outbound;
  formats: CredentialFormats;
  log: Log;
  /** Lists of trusted authorities. */
  trustLists: TrustLists;
}

/** What policies are run with, besides their subject. */
export interface PolicyContext extends PolicyPorts {
  /** Milliseconds since the epoch. */
  now: number;
  response: PresentedResponse;
  /** The lists of trusted entities of the verifier; those of the configuration when absent. */
  ownLists?: readonly BelievedList[];
}

/**
 * The order of policies: what was presented by itself, then lists and metadata that say whom to trust, then lists of
 * statuses, then services of the verifier. A stage begins only if every earlier policy of its subject succeeded.
 */
export const STAGES = ['presented', 'trust', 'status', 'service'] as const;

/** A place in the order of policies. */
export type Stage = (typeof STAGES)[number];

/** The argument of a policy. */
export interface Argument<A> {
  /** JSON Schema, draft 2020-12, for people and forms; `read` decides. */
  schema: JsonObject;
  isOptional?: boolean;
  /** The member that holds the argument in a policy without `args`; all its members are the argument when absent. */
  member?: string;
  /** Reads an argument, also one that was read before; undefined only if it is optional. @throws DomainError `BadRequest` */
  read(value: unknown): A;
  /** Checks what only can be known with ports. @throws DomainError `BadRequest`, `AddressRefused` */
  check?(args: A, ports: PolicyPorts): unknown;
  /** The argument without its secrets. */
  show?(args: A): unknown;
}

/** Evaluates a policy. @throws DomainError when it cannot be determined; the policy has failed then */
export type Evaluate<S extends Subject, A> = (
  subject: S,
  given: PolicyContext & { args: A },
) => PolicyOutcome | Promise<PolicyOutcome>;

/** A policy as it is written: with `vp` it may be listed for presentations, with `vc` for credentials. */
interface PolicyDefinition<A> {
  description: string;
  /** `presented` when absent. */
  stage?: Stage;
  /** Policies that must succeed first, whether they are listed or not. */
  dependsOn?: readonly string[];
  /** Whether it decides on the issuer, so that the trust anchors of the verification are not asked as well. */
  decidesTrust?: boolean;
  argument?: Argument<A>;
  vp?: Evaluate<PresentationSubject, A>;
  vc?: Evaluate<CredentialSubject, A>;
}

/** One row of the table of policies. */
export interface Policy
  extends Required<Pick<PolicyDefinition<unknown>, 'description' | 'stage' | 'dependsOn' | 'decidesTrust'>> {
  scopes: readonly PolicyScope[];
  argument?: Pick<Argument<unknown>, 'schema' | 'isOptional' | 'member'>;
  /** Reads the argument of a new request. @throws DomainError `BadRequest`, `AddressRefused` */
  readArgs(args: unknown, ports: PolicyPorts): Promise<unknown>;
  showArgs(args: unknown): unknown;
  run(subject: Subject, given: PolicyContext & { args: unknown }): PolicyOutcome | Promise<PolicyOutcome>;
}

/** Makes a row of a policy without an argument. */
export const policy = (definition: Omit<PolicyDefinition<undefined>, 'argument'>): Policy =>
  row({ definition, readArgs: refuseArgs, showArgs: (args) => args, parse: () => undefined });

/** Makes a row of a policy with an argument. */
export function policyWithArgs<A>(definition: PolicyDefinition<A> & { argument: Argument<A> }): Policy {
  const { argument } = definition;
  const { schema, isOptional, member, read, check, show } = argument;
  return {
    ...row({
      definition,
      parse: read,
      showArgs: (args) => (args === undefined ? undefined : show ? show(read(args)) : args),
      readArgs: async (args, ports) => {
        if (args === undefined && !isOptional) throw invalidField([], 'is required by this policy');
        const value = read(args);
        await check?.(value, ports);
        return args === undefined ? undefined : value;
      },
    }),
    argument: { schema, isOptional, member },
  };
}

interface RowParts<A> extends Pick<Policy, 'readArgs' | 'showArgs'> {
  definition: Omit<PolicyDefinition<A>, 'argument'>;
  parse(args: unknown): A;
}

function row<A>({ definition, parse, readArgs, showArgs }: RowParts<A>): Policy {
  const { description, stage = 'presented', dependsOn = [], decidesTrust = false, vp, vc } = definition;
  return {
    description,
    stage,
    dependsOn,
    decidesTrust,
    scopes: [...(vp ? (['vp'] as const) : []), ...(vc ? (['vc'] as const) : [])],
    readArgs,
    showArgs,
    run: (subject, context) => {
      const given = { ...context, args: parse(context.args) };
      if (subject.scope === 'vp' && vp) return vp(subject, given);
      if (subject.scope === 'vc' && vc) return vc(subject, given);
      return failed('undetermined', { reason: `The policy is not for ${SCOPE_NAMES[subject.scope]}` });
    },
  };
}

const SCOPE_NAMES: Record<PolicyScope, string> = { vp: 'presentations', vc: 'credentials' };

async function refuseArgs(args: unknown): Promise<undefined> {
  if (args !== undefined) throw invalidField([], 'is not taken by this policy');
}

/** A success; `reason` replaces the text of the code. */
export const passed = (
  result: unknown,
  { code = 'passed', reason = POLICY_CODES[code] }: { code?: PolicyCode; reason?: string } = {},
): PolicyOutcome => ({ isSuccess: true, code, reason, result });

/** A success because there is nothing to check. */
export const nothingToCheck = (reason: string): PolicyOutcome =>
  passed({ policy_available: false }, { code: 'nothing-to-check', reason });

/** A failure; `reason` replaces the text of the code and is the `error` where no other is given. */
export const failed = (
  code: PolicyCode,
  { reason = POLICY_CODES[code], error = reason }: { reason?: string; error?: unknown } = {},
): PolicyOutcome => ({ isSuccess: false, code, reason, error });
