import type { JsonObject } from '../../foundation/json.ts';
import type { PolicyRequest } from '../protocol.ts';
import { allowedIssuer } from './allowed-issuer.ts';
import { maximumCredentials, minimumCredentials } from './credential-counts.ts';
import { credentialStatus } from './credential-status.ts';
import { expired, notBefore } from './dates.ts';
import { dynamic } from './dynamic.ts';
import { etsiTrustList } from './etsi-trust-list.ts';
import { holderBinding } from './holder-binding.ts';
import type { Policy, PolicyScope, Stage } from './policy.ts';
import { presentationDefinition } from './presentation-definition.ts';
import { regex } from './regex.ts';
import { revokedStatusList } from './revoked-status-list.ts';
import { schema } from './schema.ts';
import { signature } from './signature.ts';
import { signatureSdJwtVc } from './signature-sd-jwt-vc.ts';
import { vctIntegrity } from './vct-integrity.ts';
import { vical } from './vical.ts';
import { vpRequiredCredentials } from './vp-required-credentials.ts';
import { webhook } from './webhook.ts';

/** The table of policies; add a row to add one (interface: Policy). */
const POLICIES: ReadonlyMap<string, Policy> = new Map(
  Object.entries({
    signature,
    'signature_sd-jwt-vc': signatureSdJwtVc,
    expired,
    'not-before': notBefore,
    schema,
    'presentation-definition': presentationDefinition,
    webhook,
    'holder-binding': holderBinding,
    'minimum-credentials': minimumCredentials,
    'maximum-credentials': maximumCredentials,
    'allowed-issuer': allowedIssuer,
    vp_required_credentials: vpRequiredCredentials,
    regex,
    'vct-integrity': vctIntegrity,
    'revoked-status-list': revokedStatusList,
    'credential-status': credentialStatus,
    dynamic,
    vical,
    'etsi-trust-list': etsiTrustList,
  }),
);

/** Other names of policies: those of requests of OpenID4VP 1.0. */
const ALIASES: Readonly<Record<string, string>> = { expiration: 'expired' };

const nameOf = (name: string): string => (Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? name) : name);

/** Finds a policy by its name or another name of it. */
export type PolicyLookup = (name: string) => Policy | undefined;

/** The lookup in the table. */
export const findPolicy: PolicyLookup = (name) => POLICIES.get(nameOf(name));

/** A policy as it is shown, without the secrets of its argument. */
export function shownPolicy({ policy, args }: PolicyRequest): PolicyRequest {
  const shown = args === undefined ? undefined : findPolicy(policy)?.showArgs(args);
  return shown === undefined ? { policy } : { policy, args: shown };
}

/** Every policy with its description. */
export const policyList = (): Record<string, string> =>
  Object.fromEntries([...POLICIES].map(([name, { description }]) => [name, description]));

/** What a caller who lists policies needs to know of one. */
export interface PolicyFacts {
  name: string;
  aliases: string[];
  description: string;
  scopes: PolicyScope[];
  stage: Stage;
  dependsOn: string[];
  /** Absent when the policy takes no argument. */
  argument?: { schema: JsonObject; isRequired: boolean };
}

/** Describes every policy. */
export const describePolicies = (): PolicyFacts[] =>
  [...POLICIES].map(([name, { description, scopes, stage, dependsOn, argument }]) => ({
    name,
    aliases: Object.keys(ALIASES).filter((alias) => ALIASES[alias] === name),
    description,
    scopes: [...scopes],
    stage,
    dependsOn: [...dependsOn],
    ...(argument && { argument: { schema: argument.schema, isRequired: !argument.isOptional } }),
  }));
