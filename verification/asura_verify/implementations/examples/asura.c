/* ASURA behind the protocol asura-conform/1, in C:
 *     cc -O2 -o asura asura.c -lm && asura conform -- ./asura
 * Rows are made orthonormal by Gram-Schmidt; the bracket comes from two inverses. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *after(const char *text, const char *key) { /* behind `"key":`, or NULL */
    const char *at = strstr(text, key);
    return at ? strchr(at + strlen(key), ':') + 1 : NULL;
}

static double number(const char *text, const char *key, double otherwise) {
    const char *at = after(text, key);
    return at ? strtod(at, NULL) : otherwise;
}

static double *numbers(const char *at, size_t *count, size_t *rows) { /* a list, or list of lists */
    size_t room = 64;
    int depth = 0;
    double *values = malloc(room * sizeof *values);
    *count = *rows = 0;
    for (; *at; at++) {
        if (*at == '[') depth++, *rows += depth == 2;
        else if (*at == ']') { if (--depth == 0) break; }
        else if (*at == '-' || (*at >= '0' && *at <= '9')) {
            char *end;
            if (*count == room) values = realloc(values, (room *= 2) * sizeof *values);
            values[(*count)++] = strtod(at, &end);
            at = end - 1;
        }
    }
    return values;
}

static size_t orthonormal(double *x, size_t n, size_t width, double *q) { /* q: n by rank */
    size_t rank = 0;
    for (size_t k = 0; k < width; k++) {
        double *column = q + rank * n, before = 0, norm = 0;
        for (size_t i = 0; i < n; i++) column[i] = x[i * width + k], before += column[i] * column[i];
        for (int twice = 0; twice < 2; twice++)
            for (size_t c = 0; c < rank; c++) {
                double dot = 0;
                for (size_t i = 0; i < n; i++) dot += q[c * n + i] * column[i];
                for (size_t i = 0; i < n; i++) column[i] -= dot * q[c * n + i];
            }
        for (size_t i = 0; i < n; i++) norm += column[i] * column[i];
        if (norm <= 1e-24 * before) continue;
        for (size_t i = 0; i < n; i++) column[i] /= sqrt(norm);
        rank++;
    }
    return rank;
}

static void add_inverse(const double *form, double shift, double sign, size_t d, double *sum) {
    double *work = calloc(2 * d * d, sizeof *work), *inverse = work + d * d; /* Gauss-Jordan */
    for (size_t i = 0; i < d; i++)
        for (size_t k = 0; k < d; k++) {
            work[i * d + k] = sign * (form[i * d + k] - (i == k ? shift : 0));
            inverse[i * d + k] = i == k;
        }
    for (size_t p = 0; p < d; p++) { /* positive definite: no pivoting needed */
        double pivot = work[p * d + p];
        for (size_t k = 0; k < d; k++) work[p * d + k] /= pivot, inverse[p * d + k] /= pivot;
        for (size_t i = 0; i < d; i++) {
            double factor = i == p ? 0 : work[i * d + p];
            for (size_t k = 0; k < d; k++) {
                work[i * d + k] -= factor * work[p * d + k];
                inverse[i * d + k] -= factor * inverse[p * d + k];
            }
        }
    }
    for (size_t i = 0; i < d * d; i++) sum[i] += inverse[i];
    free(work);
}

static void run(const char *text, long seq) {
    size_t n, cells, count, length, unused;
    double *x = numbers(after(text, "\"points\""), &cells, &n);
    const char *scaled = after(text, "\"squared_scales\"");
    double *scales = scaled ? numbers(scaled, &count, &unused) : NULL;
    double *uniforms = numbers(after(text, "\"uniforms\""), &length, &unused);
    int paper = strstr(text, "\"stopping\": \"sure\"") == NULL;
    double gamma = number(text, "\"gamma\"", 0), level = paper ? 1 : number(text, "\"level\"", 1);
    size_t width = cells / n;
    for (size_t i = 0; scales && i < n; i++)
        for (size_t k = 0; k < width; k++) x[i * width + k] *= sqrt(scales[i]);
    double *q = malloc(n * (width + 1) * sizeof *q), *p = malloc(n * sizeof *p);
    size_t d = orthonormal(x, n, width, q);
    double *form = calloc(d * d, sizeof *form), *bracket = malloc(d * d * sizeof *bracket);
    double *weights = malloc((length + 1) * sizeof *weights);
    double u = 2 * d / gamma, l = -2.0 * d / gamma, sum = 0, bound = 4 * d / gamma * (1 + level);
    size_t m = 0;
    printf("{\"seq\": %ld, \"iterations\": [", seq);
    for (; (u - l) + (paper ? sum : 0) < bound && m < length; m++) {
        double phi = 0, total = 0, partial = 0;
        memset(bracket, 0, d * d * sizeof *bracket);
        add_inverse(form, u, -1, d, bracket);
        add_inverse(form, l, 1, d, bracket);
        for (size_t k = 0; k < d; k++) phi += bracket[k * d + k];
        for (size_t i = 0; i < n; i++) {
            p[i] = 0;
            for (size_t a = 0; a < d; a++)
                for (size_t b = 0; b < d; b++) p[i] += q[a * n + i] * bracket[a * d + b] * q[b * n + i];
            p[i] /= phi;
            total += p[i];
        }
        size_t index = 0, last = 0;
        for (size_t i = 0; i < n; i++) if (p[i] > 0) last = i;
        for (; index < last; index++) {
            partial += p[index];
            if (uniforms[m] * total < partial) break;
        }
        double weight = gamma / phi / p[index];
        printf("%s{\"j\": %zu, \"index\": %zu, \"u\": %.17g, \"l\": %.17g, \"phi\": %.17g, "
               "\"p\": %.17g, \"weight\": %.17g}", m ? ", " : "", m, index, u, l, phi, p[index], weight);
        for (size_t a = 0; a < d; a++)
            for (size_t b = 0; b < d; b++) form[a * d + b] += weight * q[a * n + index] * q[b * n + index];
        u += gamma / (1 - 2 * gamma) / phi;
        l += gamma / (1 + 2 * gamma) / phi;
        sum += phi;
        weights[m] = weight;
    }
    double mid = (u + l) / 2;
    printf("], \"result\": {\"m\": %zu, \"u\": %.17g, \"l\": %.17g, \"mid\": %.17g, \"weights\": [", m, u, l, mid);
    for (size_t j = 0; j < m; j++) printf("%s%.17g", j ? ", " : "", weights[j] / mid);
    printf("]}}\n");
    free(x), free(scales), free(uniforms), free(q), free(p), free(form), free(bracket), free(weights);
}

int main(void) {
    char *text = NULL;
    size_t room = 0;
    while (getline(&text, &room, stdin) > 0 && !strstr(text, "\"cmd\": \"stop\"")) {
        long seq = (long)number(text, "\"seq\"", 0);
        if (strstr(text, "\"cmd\": \"start\""))
            printf("{\"seq\": %ld, \"protocol\": \"asura-conform/1\", \"implementation\": \"example in C\"}\n", seq);
        else run(text, seq);
        fflush(stdout);
    }
    free(text);
    return 0;
}
