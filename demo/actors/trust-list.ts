const PROVIDERS = 'http://uri.etsi.org/19602/LoTEType/EUPIDProvidersList';
const ISSUANCE = 'http://uri.etsi.org/19602/SvcType/PID/Issuance';
const DAY_MS = 86_400_000;

/** A list of trusted entities with one authority, given as PEM (ETSI TS 119 602, JSON). It is not signed: who sends it vouches for it. */
export function trustList(certificate: string, now = Date.now()): string {
  const name = [{ lang: 'en', value: 'Demo Authority' }];
  const ServiceInformation = {
    ServiceName: name,
    ServiceTypeIdentifier: ISSUANCE,
    ServiceDigitalIdentity: { X509Certificates: [{ val: certificate.replace(/-----[^-]+-----|\s/g, '') }] },
  };
  return JSON.stringify({
    LoTE: {
      ListAndSchemeInformation: {
        LoTEVersionIdentifier: 1,
        LoTESequenceNumber: 1,
        LoTEType: PROVIDERS,
        SchemeOperatorName: name,
        ListIssueDateTime: moment(now),
        NextUpdate: moment(now + DAY_MS),
      },
      TrustedEntitiesList: [
        { TrustedEntityInformation: { TEName: name }, TrustedEntityServices: [{ ServiceInformation }] },
      ],
    },
  });
}

/** ISO 8601 in UTC without fractions of a second. */
const moment = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
