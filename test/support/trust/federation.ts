import { type KeyObject, sign } from 'node:crypto';
import { NodeSignatures } from '../../../adapters/crypto/signatures.ts';
import { PrometheusMetrics } from '../../../adapters/metrics/prometheus.ts';
import { TrustChains } from '../../../domain/trust/federation/trust-chains.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { noOutbound } from '../credentials/policies.ts';
import { testKeys } from './certificates.ts';

// biome-ignore lint/suspicious/noExplicitAny: statements have any member
type Json = Record<string, any>;

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A public key as federations publish it; each `number` is another one. */
export const federationJwk = (number: number): Json => ({
  ...testKeys('P-256', 300 + number).publicKey.export({ format: 'jwk' }),
  kid: `key ${number}`,
});

/** Signs a JWT with the key of a number; members that are undefined are left out. */
export function signedBy(number: number, payload: Json, header: Json = {}): string {
  const key: KeyObject = testKeys('P-256', 300 + number).privateKey;
  const input = `${encoded({ alg: 'ES256', kid: `key ${number}`, typ: 'entity-statement+jwt', ...header })}.${encoded(payload)}`;
  return `${input}.${sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/** Trust chains without any anchor. */
export const noChains = new TrustChains({
  outbound: noOutbound,
  signatures: new NodeSignatures(new PrometheusMetrics()),
  clock: { now: () => Date.now() },
  federations: [],
  most: 1,
});

/** An entity of a test federation; members of statements replace the usual ones. */
export interface TestEntity {
  id: string;
  key: number;
  superiors?: TestEntity[];
  metadata?: Json;
  /** Changes its configuration. */
  configuration?: Json;
  /** Changes what it states about a subordinate. */
  statement?: Json;
}

const times = (now: number) => ({ iat: Math.floor(now / 1000) - 10, exp: Math.floor(now / 1000) + 3600 });

/** The configuration of an entity. */
export const configurationOf = (entity: TestEntity, now = Date.now()): string =>
  signedBy(entity.key, {
    ...{ iss: entity.id, sub: entity.id, ...times(now), jwks: { keys: [federationJwk(entity.key)] } },
    ...(entity.superiors && { authority_hints: entity.superiors.map(({ id }) => id) }),
    metadata: { federation_entity: { federation_fetch_endpoint: `${entity.id}/fetch` }, ...entity.metadata },
    ...entity.configuration,
  });

/** What a superior states about an entity with these keys. */
export const statementOf = (superior: TestEntity, entity: { id: string; jwks: Json }, now = Date.now()): string =>
  signedBy(superior.key, {
    ...{ iss: superior.id, sub: entity.id, ...times(now), jwks: entity.jwks },
    ...superior.statement,
  });

/** A federation on loopback, whose entities are paths of one server. */
export class TestFederation {
  readonly peer = new HttpPeer();
  /** Entities elsewhere, by their identifiers. */
  readonly foreign: Record<string, Json> = {};
  readonly #entities: TestEntity[] = [];

  entity(name: string, key: number, more: Partial<TestEntity> = {}): TestEntity {
    const entity = { id: `${this.peer.url}/${name}`, key, ...more };
    this.#entities.push(entity);
    this.peer.routes[`/${name}/.well-known/openid-federation`] = () => reply(configurationOf(entity));
    this.peer.routes[`/${name}/fetch`] = ({ url }) => {
      const sub = url.searchParams.get('sub') ?? '';
      const known = this.#entities.find(({ id }) => id === sub);
      const jwks = known ? { keys: [federationJwk(known.key)] } : this.foreign[sub];
      return jwks ? reply(statementOf(entity, { id: sub, jwks })) : { status: 404 };
    };
    return entity;
  }
}

const reply = (body: string) => ({ headers: { 'content-type': 'application/entity-statement+jwt' }, body });

/** An anchor as the wallet's configuration has it. */
export const anchorSettings = ({ id, key }: TestEntity) => ({ entityId: id, jwks: { keys: [federationJwk(key)] } });
