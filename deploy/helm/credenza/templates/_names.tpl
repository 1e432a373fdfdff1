{{- /* The templates use only what text/template of Go has, so that Helm and kubectl render them alike. */ -}}
{{- define "credenza.selector" -}}
{ app.kubernetes.io/name: credenza, app.kubernetes.io/instance: {{ printf "%q" .Release.Name }} }
{{- end -}}
{{- define "credenza.labels" -}}
{ app.kubernetes.io/name: credenza, app.kubernetes.io/instance: {{ printf "%q" .Release.Name }}, app.kubernetes.io/version: {{ printf "%q" .Chart.AppVersion }}, app.kubernetes.io/managed-by: {{ printf "%q" .Release.Service }} }
{{- end -}}
