import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../../adapters/config/read-settings.ts';
import type { IssuerServices } from '../../../adapters/http/handlers/issuer.ts';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { createPlatform, type Platform } from '../../../composition/platform/platform.ts';
import { createSystem } from '../../../composition/platform/system.ts';
import { issuerServices } from '../../../composition/services/issuer.ts';
import type { HolderKey } from '../../../demo/actors/holder-key.ts';
import { OPENID4VCI } from '../../../domain/credentials/openid4vci.ts';
import type { CredentialIssuer } from '../../../domain/issuer/credential-issuer.ts';
import type { OnboardingResult } from '../../../domain/issuer/onboarding/onboarding.ts';
import { createOffer, parseCredentialRequest } from '../../../domain/issuer/openid4vci/draft13.ts';
import type { Store } from '../../../ports/store.ts';
import { credentialRequest, proofOf } from '../../actors/wallet.ts';
import type { TestServer } from './server.ts';
import { silentLog } from './silent-log.ts';

/** The issuer services without a server, with a clock that the test moves. */
export interface IssuerInProcess {
  issuer: CredentialIssuer;
  platform: Platform;
  services: IssuerServices;
  onboarded: OnboardingResult;
  clock: { now(): number; advance(ms: number): void };
  /** The same services over another view of the store. */
  over(store: Store): IssuerServices;
}

export async function issuerInProcess(wrap = (store: Store): Store => store): Promise<IssuerInProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'credenza-issuer-'));
  const settings = await readSettings({ CONFIG_DIR: folder, DATA_DIR: folder, PORT: '0' });
  let time = Date.now();
  const clock = {
    now: () => time,
    advance: (ms: number) => {
      time += ms;
    },
  };
  const timers = { every: () => () => undefined };
  const system = createSystem(settings, { log: silentLog, clock, timers });
  const platform = createPlatform({ settings, system, store: wrap(new MemoryStore(clock)) });
  const services = issuerServices(platform);
  const { draft13: issuer } = services.issuers;
  const onboarded = await services.onboarding.onboard(issuer, {});
  const over = (store: Store) => issuerServices({ ...platform, store });
  return { issuer, platform, services, onboarded, clock, over };
}

const TYPES = ['VerifiableCredential', 'UniversityDegree'];

/** The content of an offered degree; every credential that is made of it has an id of its own. */
export const degreeContent = ({ onboarded }: IssuerInProcess, level = 0) => ({
  ...onboarded,
  credentialConfigurationId: 'UniversityDegree_jwt_vc_json',
  credentialData: { type: TYPES, credentialSubject: { level } },
  mapping: { id: '<uuid>' },
});

/** The pre-authorized code of an offer. */
export async function codeOf({ services, issuer }: IssuerInProcess, id: string): Promise<string> {
  const { grants } = await services.offers.get(issuer, id, createOffer);
  return grants[OPENID4VCI.PRE_AUTHORIZED]?.['pre-authorized_code'] ?? '';
}

/** A credential request for a degree, with a proof for this nonce. */
export function degreeRequest({ issuer, clock }: IssuerInProcess, holder: HolderKey, nonce: string) {
  const server = { url: issuer.identifier.replace('/draft13', ''), clock } as unknown as TestServer;
  return parseCredentialRequest(credentialRequest(proofOf(server, holder, { nonce }), TYPES));
}
